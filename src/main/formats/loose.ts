/**
 * Members of archives that stand outside of them, as files that the game (or what loads its mods) takes in their place: nobody has to copy
 * an archive for one of its members. Each family declares its layout in `loose.ts`.
 */

export interface LooseLayout {
  /** what the game needs to take them, in one sentence */
  readonly needs: string
  /** where a member stands; absent in a family whose files stand in no archives */
  place?(member: PackedMember): LoosePlace
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
