/** The panel of problems. */
export const problems = {
  noneText: 'Nothing that is known to trouble the game was found.',
  none: 'No problems',
  filtered: 'Hidden by the filter',
  checking: 'Checking the files…',
  label: 'Problems',
  hint: 'Enter shows the place in the file',
  severities: {
    error: 'error | errors',
    warning: 'warning | warnings',
    info: 'note | notes',
  },
} as const
