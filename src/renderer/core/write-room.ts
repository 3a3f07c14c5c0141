/** The room that a large write takes on its disk. */
export interface WriteRoom {
  written: number
  /** bytes of it that are there already */
  begun: number
  /** of the disk; -1 where nobody knows */
  free: number
}

export function neededRoom({ written, begun }: WriteRoom): number {
  return written - begun
}

export function lacksRoom(room: WriteRoom): boolean {
  return room.free >= 0 && room.free < neededRoom(room)
}
