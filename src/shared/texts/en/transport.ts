/** Playback below the picture. */
export const transport = {
  speed: 'Playback speed',
  seconds: 'Seconds',
  current: 'Current {unit}',
  wholeClip: 'Whole clip',
  slice: 'Slice',
  bindPose: 'Bind pose',
  clip: 'Clip',
  play: 'Play',
  pause: 'Pause',
  scrub: 'Scrub',
  label: 'Playback',
  units: {
    frame: 'frame',
    ms: 'ms',
    s: 's',
  },
} as const
