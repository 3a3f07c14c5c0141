/** Words with one meaning everywhere. */
export const common = {
  cancel: 'Cancel',
  tryAgain: 'Try again',
  dismiss: 'Dismiss',
  doneOfTotal: '{done} of {total}',
  save: 'Save',
  saving: 'Saving…',
  show: 'Show',
  hide: 'Hide',
  close: 'Close',
} as const
