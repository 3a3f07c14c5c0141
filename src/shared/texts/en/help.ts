/** Diagnostics and new versions. */
export const help = {
  diagnostics: {
    empty: 'Nothing was logged yet.',
    log: 'The log as it is saved',
    heads: 'First 256 bytes of a file that failed',
    what: 'A zip to attach to a report. Your name, home folder and the places of your games are taken out.',
    title: 'Save diagnostics',
    saved: '{file} is saved: attach it to your report',
    noWebgl: 'no WebGL 2',
  },
  update: {
    later: 'Not now',
    failed: 'Marrow {version} could not be loaded; the log says why',
    install: 'Restart and install',
    ready: 'Marrow {version} is loaded. Unsaved edits are kept and offered again.',
    loading: 'Loading Marrow {version}',
    load: 'Load',
    size: ', {size} to load',
    available: 'Marrow {version} is there',
  },
} as const
