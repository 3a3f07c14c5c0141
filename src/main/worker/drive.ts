/** How long a drive may take to answer, ms: until that is told, and until it is not asked any more. */
export interface DrivePatience {
  told: number
  most: number
}

/** One that was asleep wakes up in less. Told soon, since the user may know more. */
export const DRIVE: DrivePatience = { told: 1500, most: 30_000 }
