/** The panel of problems. */
export const problems = {
  noneText: 'Nothing that is known to trouble the game was found.',
  none: 'No problems',
  filtered: 'Hidden by the filter',
  checking: 'Checking the files…',
  label: 'Problems',
  hint: 'Enter shows the place in the file',
  oneSource: 'a hint: one source says so',
  fixAll: 'All {count}',
  fixAllTip: '{label}, at all {count} findings of {code}: one step',
  switchOff: 'Look for {code} no more',
  off: '{count} rule off | {count} rules off',
  offTip: 'Rules that are switched off, for all files',
  switchOn: 'Look for {code} again',
  severities: {
    error: 'error | errors',
    warning: 'warning | warnings',
    info: 'note | notes',
  },
} as const
