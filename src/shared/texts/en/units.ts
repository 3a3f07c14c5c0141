/** Counts, sizes and times. */
export const units = {
  bones: '{count} bone | {count} bones',
  meshes: '{count} mesh | {count} meshes',
  vertices: '{count} vertex | {count} vertices',
  triangles: '{count} triangle | {count} triangles',
  models: '{count} model | {count} models',
  files: '{count} file | {count} files',
  errors: '{count} error | {count} errors',
  steps: '{count} step | {count} steps',
  bytes: '{count} byte | {count} bytes',
  justNow: 'just now',
  minutesAgo: '{minutes} min ago',
  hoursAgo: '{hours} h ago',
  daysAgo: '{count} day ago | {count} days ago',
} as const
