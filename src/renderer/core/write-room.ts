/** The room that a large write takes on its disk. */
export interface WriteRoom {
  /** bytes for which the disk needs room in all */
  room: number
  /** bytes of it that are there already */
  begun: number
  /** of the disk; -1 where nobody knows */
  free: number
}

export function neededRoom({ room, begun }: WriteRoom): number {
  return room - begun
}

export function lacksRoom(room: WriteRoom): boolean {
  return room.free >= 0 && room.free < neededRoom(room)
}
