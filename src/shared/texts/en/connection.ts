/** The window's connection to the services. */
export const connection = {
  tooLarge: '{call} would send {size}; at most {most} can be sent at once',
  notSent: '{call} could not be sent: {reason}',
  none: 'not connected to Marrow',
  closed: 'the connection was closed',
  lostInCall: 'the connection to Marrow was lost; whether the call was carried out is unknown',
  lost: 'Marrow does not answer',
  trying:
    'It was ended, or its computer sleeps. This page goes on by itself when it answers again. Unsaved edits are kept; if Marrow was ended, start it again and open the address that it prints.',
  tryNow: 'Try now',
  noAnswer:
    'Marrow was ended. Unsaved edits are kept, and are offered again: start Marrow, then open the address that it prints. What was open here opens again there.',
  needsAddress:
    'An address of Marrow lets one browser in, once and for a short time, and none is good for a Marrow that was started anew. Press Enter in the terminal where Marrow runs: it prints a new address. Open that one here: what was open opens again, with all unsaved edits.',
} as const
