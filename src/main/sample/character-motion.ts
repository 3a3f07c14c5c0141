/** How the adventurer moves: turns of its joints at a frame, in degrees about the scene's axes. */
export interface SampleWindow {
  id: 'idle' | 'walk' | 'attack' | 'cheer'
  name: string
  japanese: string
  start: number
  end: number
  speed: number
}

type Turn = [number, number, number]

type Pose = Record<string, Turn | undefined> & { lift?: Turn }

export const LAST = 160

export const WINDOWS: SampleWindow[] = [
  { id: 'idle', name: 'idle', japanese: '立ち', start: 1, end: 41, speed: 0.25 },
  { id: 'walk', name: 'walk', japanese: '歩き', start: 50, end: 80, speed: 0.5 },
  { id: 'attack', name: 'attack', japanese: '攻撃', start: 90, end: 120, speed: 0.5 },
  { id: 'cheer', name: 'cheer', japanese: '喜び', start: 130, end: 160, speed: 0.4 },
]

/** Arms hang: the bind pose holds them out. Degrees about x, y, z; left and right mirrored in z. */
const RELAXED: Pose = {
  upperarm_l: [4, 0, -24],
  upperarm_r: [4, 0, 24],
  forearm_l: [-18, 0, -6],
  forearm_r: [-22, 0, 6],
  hand_l: [0, 0, -4],
  hand_r: [-8, 0, 4],
}

function smooth(keys: [number, number][], t: number): number {
  if (t <= keys[0][0]) return keys[0][1]
  for (let i = 1; i < keys.length; i++) {
    if (t <= keys[i][0]) {
      const k = (t - keys[i - 1][0]) / (keys[i][0] - keys[i - 1][0])
      return keys[i - 1][1] + (keys[i][1] - keys[i - 1][1]) * k * k * (3 - 2 * k)
    }
  }
  return keys[keys.length - 1][1]
}

function idle(t: number): Pose {
  const a = t * Math.PI * 2
  const breath = Math.sin(a)
  return {
    ...RELAXED,
    lift: [0, -0.006 + 0.005 * breath, 0],
    spine: [1.5 + 1.2 * breath, 0, 0],
    chest: [-1 + 1.6 * breath, 0, 0],
    head: [-1.5 * Math.sin(a - 0.6), 5 * Math.sin(a), 1.5 * Math.sin(a)],
    upperarm_l: [4 + 2 * breath, 0, -24 + 2.5 * breath],
    upperarm_r: [4 + 2 * breath, 0, 24 - 2.5 * breath],
    forearm_l: [-18 - 3 * breath, 0, -6],
    forearm_r: [-22 - 3 * breath, 0, 6],
    thigh_l: [-3, 0, 3],
    thigh_r: [1, 0, -3],
    shin_l: [6 - breath, 0, 0],
    shin_r: [3 - breath, 0, 0],
    foot_l: [-3 + breath, 8, -3],
    foot_r: [-4 + breath, -8, 3],
    hair: [3 * Math.sin(a - 0.9), 0, 2 * Math.sin(a - 0.6)],
    hair_tip: [5 * Math.sin(a - 1.5), 0, 3 * Math.sin(a - 1.2)],
    scarf_1: [2 * Math.sin(a - 0.5), 0, 1.5 * Math.sin(a)],
    scarf_2: [4 * Math.sin(a - 1.1), 0, 3 * Math.sin(a - 0.8)],
    scarf_3: [6 * Math.sin(a - 1.8), 0, 5 * Math.sin(a - 1.6)],
  }
}

function walk(t: number): Pose {
  const a = t * Math.PI * 2
  const leg = (phase: number): [number, number, number] => {
    const swing = Math.sin(a + phase)
    const bend = Math.max(0, Math.cos(a + phase))
    return [-30 * swing, 10 + 52 * bend ** 1.5, -4 + 10 * swing - 10 * bend]
  }
  const [tl, sl, fl] = leg(0),
    [tr, sr, fr] = leg(Math.PI)
  const swing = Math.sin(a)
  const bounce = Math.abs(Math.cos(a))
  return {
    lift: [0.012 * Math.cos(a), -0.028 + 0.026 * bounce, 0],
    pelvis: [3, 8 * -swing, -2.5 * Math.cos(a)],
    spine: [3, 5 * swing, 1.5 * Math.cos(a)],
    chest: [2, 8 * swing, 1.5 * Math.cos(a)],
    head: [-5 + 2 * Math.cos(2 * a), -9 * swing, 0],
    clavicle_l: [0, -4 * swing, 0],
    clavicle_r: [0, -4 * swing, 0],
    upperarm_l: [30 * swing, 0, -26],
    upperarm_r: [-30 * swing, 0, 26],
    forearm_l: [-30 + 16 * swing, 0, -6],
    forearm_r: [-30 - 16 * swing, 0, 6],
    hand_r: [-6, 0, 0],
    thigh_l: [tl, 0, 2],
    shin_l: [sl, 0, 0],
    foot_l: [fl, 4, -2],
    thigh_r: [tr, 0, -2],
    shin_r: [sr, 0, 0],
    foot_r: [fr, -4, 2],
    hair: [10 + 8 * Math.sin(2 * a - 0.7), 4 * Math.sin(a - 0.6), 0],
    hair_tip: [8 + 12 * Math.sin(2 * a - 1.5), 6 * Math.sin(a - 1.2), 0],
    scarf_1: [14 + 5 * Math.sin(2 * a - 0.5), 0, 4 * Math.sin(a - 0.4)],
    scarf_2: [8 + 9 * Math.sin(2 * a - 1.2), 0, 7 * Math.sin(a - 1)],
    scarf_3: [6 + 13 * Math.sin(2 * a - 2), 0, 9 * Math.sin(a - 1.7)],
  }
}

/** Wind up over the right shoulder, a cut across, follow through, back to the stance. */
function attack(t: number): Pose {
  const at = (...keys: [number, number][]): number => smooth(keys, t)
  return {
    lift: [
      at([0, 0], [0.3, -0.02], [0.48, 0.03], [0.7, 0.02], [1, 0]),
      at([0, -0.01], [0.3, -0.03], [0.46, -0.055], [0.7, -0.045], [1, -0.01]),
      at([0, 0], [0.3, -0.05], [0.46, 0.1], [0.72, 0.08], [1, 0]),
    ],
    pelvis: [at([0, 0], [0.3, -4], [0.48, 8], [1, 0]), at([0, 0], [0.3, -32], [0.48, 30], [0.7, 26], [1, 0]), 0],
    spine: [at([0, 2], [0.3, -6], [0.48, 12], [0.7, 10], [1, 2]), at([0, 0], [0.3, -16], [0.48, 20], [0.7, 16], [1, 0]), 0],
    chest: [at([0, 0], [0.3, -6], [0.48, 8], [1, 0]), at([0, 0], [0.3, -20], [0.5, 26], [0.7, 22], [1, 0]), 0],
    head: [at([0, 0], [0.3, 6], [0.48, -10], [1, 0]), at([0, 0], [0.3, 44], [0.5, -42], [0.7, -36], [1, 0]), 0],
    clavicle_r: [0, 0, at([0, 0], [0.3, -14], [0.5, 4], [1, 0])],
    upperarm_r: [
      at([0, 4], [0.3, -150], [0.4, -120], [0.52, -52], [0.7, -34], [1, 4]),
      at([0, 0], [0.3, 20], [0.52, 40], [1, 0]),
      at([0, 24], [0.3, -6], [0.52, 62], [0.7, 56], [1, 24]),
    ],
    forearm_r: [at([0, -22], [0.3, -84], [0.42, -40], [0.52, -12], [0.7, -22], [1, -22]), 0, 6],
    hand_r: [at([0, -8], [0.3, -30], [0.46, 20], [0.6, 28], [1, -8]), 0, at([0, 4], [0.5, 20], [1, 4])],
    upperarm_l: [at([0, 4], [0.3, -34], [0.5, 34], [0.7, 28], [1, 4]), 0, at([0, -24], [0.3, 4], [0.5, 6], [1, -24])],
    forearm_l: [at([0, -18], [0.3, -50], [0.5, -26], [1, -18]), 0, -6],
    thigh_l: [at([0, -3], [0.3, -26], [0.48, -44], [0.72, -40], [1, -3]), at([0, 0], [0.3, 26], [0.48, -24], [1, 0]), 4],
    shin_l: [at([0, 6], [0.3, 26], [0.48, 44], [0.72, 42], [1, 6]), 0, 0],
    foot_l: [at([0, -3], [0.3, 0], [0.48, -6], [1, -3]), 6, -4],
    thigh_r: [at([0, 1], [0.3, -8], [0.48, 22], [0.72, 18], [1, 1]), at([0, 0], [0.3, 26], [0.48, -22], [1, 0]), -5],
    shin_r: [at([0, 3], [0.3, 26], [0.48, 22], [0.72, 24], [1, 3]), 0, 0],
    foot_r: [at([0, -4], [0.3, -18], [0.48, -16], [1, -4]), -6, 5],
    hair: [at([0, 0], [0.34, -10], [0.55, 26], [0.75, -8], [1, 0]), at([0, 0], [0.36, 22], [0.56, -26], [0.8, 8], [1, 0]), 0],
    hair_tip: [at([0, 0], [0.36, -14], [0.6, 34], [0.8, -10], [1, 0]), at([0, 0], [0.4, 26], [0.62, -32], [0.84, 10], [1, 0]), 0],
    scarf_1: [at([0, 0], [0.34, 6], [0.52, 40], [0.8, 4], [1, 0]), 0, at([0, 0], [0.36, 12], [0.56, -18], [0.84, 5], [1, 0])],
    scarf_2: [at([0, 0], [0.36, 6], [0.58, 36], [0.84, -6], [1, 0]), 0, at([0, 0], [0.4, 14], [0.62, -22], [0.88, 6], [1, 0])],
    scarf_3: [at([0, 0], [0.4, 8], [0.64, 36], [0.88, -10], [1, 0]), 0, at([0, 0], [0.44, 14], [0.68, -24], [0.92, 6], [1, 0])],
  }
}

/** A hop with the sword held high. */
function cheer(t: number): Pose {
  const at = (...keys: [number, number][]): number => smooth(keys, t)
  const crouch = at([0, 0], [0.16, 1], [0.34, 0], [0.5, 0], [0.66, 1], [0.82, 0], [1, 0])
  const air = at([0.2, 0], [0.36, 1], [0.52, 0], [1, 0])
  const up = at([0, 0], [0.16, 0.1], [0.36, 1], [0.74, 1], [1, 0])
  return {
    lift: [0, -0.06 * crouch + 0.17 * air, 0],
    spine: [2 + 10 * crouch - 6 * up, 0, 0],
    chest: [4 * crouch - 8 * up, 0, 0],
    head: [-2 - 10 * up + 6 * crouch, 0, 4 * up],
    upperarm_r: [4 - 168 * up, 0, 24 - 4 * up],
    forearm_r: [-22 + 6 * up, 0, 6],
    hand_r: [-8 + 78 * up, 0, 4],
    upperarm_l: [4 + 10 * up, 0, -24 + 70 * up],
    forearm_l: [-18 - 40 * up, 0, -6],
    thigh_l: [-3 - 34 * crouch - 20 * air, 0, 4],
    thigh_r: [1 - 34 * crouch + 6 * air, 0, -4],
    shin_l: [6 + 62 * crouch + 46 * air, 0, 0],
    shin_r: [3 + 62 * crouch + 24 * air, 0, 0],
    foot_l: [-3 - 28 * crouch + 26 * air, 8, -4],
    foot_r: [-4 - 28 * crouch + 26 * air, -8, 4],
    hair: [20 * air - 10 * crouch, 0, 0],
    hair_tip: [30 * at([0.26, 0], [0.44, 1], [0.66, -0.4], [1, 0]), 0, 0],
    scarf_1: [18 * at([0.24, 0], [0.42, 1], [0.6, -0.2], [1, 0]), 0, 0],
    scarf_2: [26 * at([0.28, 0], [0.46, 1], [0.66, -0.3], [1, 0]), 0, 0],
    scarf_3: [34 * at([0.32, 0], [0.5, 1], [0.72, -0.4], [1, 0]), 0, 0],
  }
}

export function poseAt(frame: number): Pose {
  const [i, w, a, c] = WINDOWS
  const part = (win: SampleWindow): number => (frame - win.start) / (win.end - win.start)
  if (frame <= i.end) return idle(part(i))
  if (frame < w.start) return idle(0)
  if (frame <= w.end) return walk(part(w))
  if (frame < a.start) return idle(0)
  if (frame <= a.end) return attack(part(a))
  if (frame < c.start) return attack(1)
  return cheer(part(c))
}

/** Quaternion of turns about x, then y, then z (fixed axes): q = qz * qy * qx. */
export function quaternion([x, y, z]: Turn): [number, number, number, number] {
  const half = Math.PI / 360
  const [sx, cx, sy, cy, sz, cz] = [
    Math.sin(x * half),
    Math.cos(x * half),
    Math.sin(y * half),
    Math.cos(y * half),
    Math.sin(z * half),
    Math.cos(z * half),
  ]
  return [sx * cy * cz - cx * sy * sz, cx * sy * cz + sx * cy * sz, cx * cy * sz - sx * sy * cz, cx * cy * cz + sx * sy * sz]
}
