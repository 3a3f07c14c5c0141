/** From 0 to 1, slow at both ends. */
export const smoothStep = (t: number): number => t * t * (3 - 2 * t)
