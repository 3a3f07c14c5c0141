/** Edits of keys, as history and the adjusting of them name them. */
export const keyEdits = {
  beside: 'Slices, events, markers',
  besideHint: 'Ends of slices, events and markers within these keys move with them',
  beyond: 'Keys would go beyond {end}, where this clip ends',
  move: {
    title: 'Move keys in time',
    edit: 'Move key | Move {count} keys',
    stopped: 'Moved by {by}: there the clip ends',
    noRoom: 'There is no room: the clip ends here',
  },
  scale: {
    title: 'Scale keys in time',
    lastKey: 'Last key at',
    edit: 'Scale key in time | Scale {count} keys in time',
  },
  reverse: {
    title: 'Reverse keys in time',
    edit: 'Reverse key | Reverse {count} keys',
  },
  remove: {
    title: 'Delete keys',
    edit: 'Delete key | Delete {count} keys',
  },
  insert: {
    chosen: 'tracks of the chosen keys',
    bone: 'the bone',
    all: 'all tracks',
    title: 'Insert keys',
    edit: 'Insert key | Insert {count} keys',
    none: 'These tracks have a key there already',
    at: 'At',
    in: 'In',
  },
  by: 'By',
  paste: {
    from: 'From',
    over: 'Over what is there',
    overHint: 'Keys that stand between the pasted ones keep nothing of the old movement',
    title: 'Paste keys',
    edit: 'Paste key | Paste {count} keys',
    asPoses: 'Paste keys as poses',
  },
  value: {
    title: 'Change a value',
    of: 'Change {component} of {target}',
    ofKeys: 'Change {component} of key | Change {component} of {count} keys',
    turn: 'A turn has the length one: the other components follow',
  },
  drag: {
    title: 'Move keys and change {component}',
    time: 'In time by',
    value: '{component} by',
    dense: 'A key on every frame: only moved in time',
  },
} as const
