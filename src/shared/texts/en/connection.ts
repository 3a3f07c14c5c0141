/** The window's connection to the services. */
export const connection = {
  tooLarge: '{call} would send {size}; at most {most} can be sent at once',
  notSent: '{call} could not be sent: {reason}',
  none: 'not connected to Marrow',
  closed: 'the connection was closed',
  lostInCall: 'the connection to Marrow was lost; whether the call was carried out is unknown',
  lost: 'The connection to Marrow was lost. Trying again.',
  again: 'Connected to Marrow again.',
  noAnswer: 'Marrow does not answer: it was ended, or is starting. Unsaved edits are kept, and offered when it is started again.',
  needsAddress:
    'An address of Marrow lets one browser in, once and for a short time. Press Enter in the terminal where Marrow runs: it prints a new address. Open that one here.',
} as const
