/** Fields of files that are read and set one by one: why one is not set, or not to that value. */
export const fields = {
  structure: '{field} is not set by itself: it follows from what the file holds',
  /** of archives: what changes it instead */
  by: {
    name: '{field} follows from the name of the member: rename the member',
    body: '{field} follows from where the member stands and how long it is: replace the member, or make the archive compact',
    members: '{field} follows from the members: add, remove, rename or move some',
  },
  noWord: '{field} is one of {words}: "{value}" is none',
  wholeColumn: '{field} has {n} entry: name it, {field}[0] | {field} has {n} entries: name one of them, {field}[0] is the first',
  packed: '{field} is not set by itself: {type} is packed',
  untyped: '{field} is not set by itself: {type} has no value of its own',
  decides: '{field} decides how the file is read: with this value it would be another file',
  notRead: '{field} cannot have this value: {why}',
  twice: 'a field is set twice at one time',
  numbers: '{field} takes one number, not "{value}" | {field} takes {n} numbers, not "{value}"',
  noPacked: '{field} cannot say {value}',
  noNumber: '{field} takes a number: "{value}" is none',
  noWhole: '{field} takes a whole number: {value} is none',
  outside: '{field} goes from {least} to {most}: {value} is outside',
  noFlag: '{field} has no flag {name}: it has {names}',
  flagValue: '{name} of {field} is more than a flag: give {name}=value',
  noColor: '{field} takes a colour as #rrggbb, or its numbers: "{value}" is none',
  noText: '{field} takes a text without NUL',
  noLatin: 'the file cannot say "{character}"',
  set: 'Set {field}',
  setSeveral: 'Set {field} and {count} other | Set {field} and {count} others',
} as const
