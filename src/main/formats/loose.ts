/**
 * Members of archives that stand outside of them, as files that the game (or what loads its mods) takes in their place: nobody has to copy
 * an archive for one of its members. Each family declares its layout in `loose.ts`.
 */

export interface LooseLayout {
  /** what the game needs to take them, in one sentence */
  readonly needs: string
  /** where a member stands; absent in a family whose files stand in no archives */
  place?(member: PackedMember): LoosePlace
  /** which of several files of one name the game reads; absent in a family whose games have one place for a file */
  reading?: ReadingOrder
}

/** A file as the game may find it: on disk, or a member of an archive. Paths are below the folder that was opened, with `/`. */
export interface GameFile {
  /** the archive that it is a member of; absent for a file on disk */
  packed?: Pick<PackedMember, 'format' | 'archive'>
  /** of a member its name in the archive, else its path */
  name: string
}

/** A turn in which the game looks: the lowest has the file that it reads. Of two with one number nobody knows which it takes. */
export interface ReadingTurn {
  /** what the game knows the file by: those of one key stand in each other's way */
  key: string
  turn: number
  /** among those of one turn, where the game goes by names */
  then?: string
}

export interface ReadingOrder {
  /** undefined for a file that the game does not look for so */
  turn(file: GameFile): ReadingTurn | undefined
  /** why the one is read and not the other, in one sentence; of two that nobody can tell apart, that */
  why(read: GameFile, other: GameFile): string
}

/** A member, and the archive that it stands in. */
export interface PackedMember {
  /** id of the archive's format */
  format: string
  /** the archive, below the folder that was opened, with `/`; of one inside of others, as if those were folders */
  archive: string
  /** as in references: with `/` */
  name: string
  /** how the mod's folder is called */
  mod: string
}

/** A path below the mod's folder, with `/`, or why the game reads the member only where it is. */
export type LoosePlace =
  | {
      path: string
      /** the folder that has one folder for each mod, where the mod's name is a part of the path */
      mods?: string
      why?: undefined
    }
  | { path?: undefined; why: string }

/** Folders that a path goes through and the name behind them. */
export function pathParts(path: string): { folders: string[]; name: string } {
  const folders = path.split('/').filter(Boolean)
  return { name: folders.pop() ?? '', folders }
}
