/**
 * Tables of the index. It is a cache of what is on disk: nothing in it cannot be built again, so another
 * version of the schema is a new file, not a migration.
 */

/** Raised with every change of the tables or of what is put in them. */
export const SCHEMA_VERSION = 15
/** Marks the file as ours: `MRWL`. */
export const APPLICATION_ID = 0x4d52574c

/** Fields of an entry of a list, by their names. */
const columns = (...names: string[]): string => names.map((name) => `e.value ->> '$.${name}' AS "${name}"`).join(', ')

const listView = (list: string, of: string): string =>
  `CREATE VIEW ${list} AS SELECT d.file, e.key AS number, ${of} FROM details d, json_each(d.data, '$.${list}') e;`

export const SCHEMA = `
CREATE TABLE roots (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  -- ms since 1970 of the last scan that came to its end, 0 for none
  scanned_at INTEGER NOT NULL DEFAULT 0,
  -- models fit the files: 0 from the first change of something that binders see (fitting-models.ts) until they have run again
  bound INTEGER NOT NULL DEFAULT 0,
  -- the formats that the files were read with
  codecs TEXT NOT NULL DEFAULT '',
  seconds REAL NOT NULL DEFAULT 0,
  -- rows of models that were bound
  models INTEGER NOT NULL DEFAULT 0,
  -- raised with everything that changes what lists show of files, and of models: a scan that finds nothing new leaves both
  files_edition INTEGER NOT NULL DEFAULT 0,
  models_edition INTEGER NOT NULL DEFAULT 0
) STRICT;

-- folders on disk, archives, and folders inside of archives
CREATE TABLE folders (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  -- for look-ups: lower case, no separator at the end
  key TEXT NOT NULL
) STRICT;
CREATE INDEX folders_key ON folders (key);

CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  ref TEXT NOT NULL UNIQUE,
  -- the archive that a member stands in
  parent INTEGER REFERENCES files (id) ON DELETE CASCADE,
  folder INTEGER NOT NULL REFERENCES folders (id),
  -- number in the archive, 0 on disk
  position INTEGER NOT NULL DEFAULT 0,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  stem TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime REAL NOT NULL,
  -- versions of the files on disk that the row was made from; '' while an archive is not through
  stamp TEXT NOT NULL DEFAULT '',
  -- ms since 1970: its times on disk when it was read by the system's own clock, -1 where it may have changed since without one that tells
  changed REAL NOT NULL DEFAULT -1,
  -- CRC-32 of a file that was read whole
  crc INTEGER,
  -- other files that an archive is read from, a line each
  companion TEXT NOT NULL DEFAULT '',
  -- '' for what no format knows
  format TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL DEFAULT 'other',
  family TEXT NOT NULL DEFAULT 'common',
  note TEXT NOT NULL DEFAULT '',
  bones INTEGER NOT NULL DEFAULT 0,
  meshes INTEGER NOT NULL DEFAULT 0,
  skins INTEGER NOT NULL DEFAULT 0,
  weights INTEGER NOT NULL DEFAULT 0,
  clips INTEGER NOT NULL DEFAULT 0,
  slices INTEGER NOT NULL DEFAULT 0,
  textures INTEGER NOT NULL DEFAULT 0,
  keys INTEGER NOT NULL DEFAULT 0,
  skin_bones INTEGER NOT NULL DEFAULT 0,
  diagnostics INTEGER NOT NULL DEFAULT 0,
  error_code TEXT,
  error_message TEXT,
  error_offset INTEGER
) STRICT;
CREATE INDEX files_parent ON files (parent);
CREATE INDEX files_folder ON files (folder);
CREATE INDEX files_stem ON files (stem) WHERE format <> '';
CREATE INDEX files_name ON files (name_key, id) WHERE format <> '';
CREATE INDEX files_facets ON files (family, kind) WHERE format <> '';
CREATE INDEX files_errors ON files (name_key, id) WHERE error_code IS NOT NULL;

-- what is in a file, as JSON: its summary without lists that are empty, and its diagnostics; a file without any of it has no row.
-- It is read as a whole or not at all: rows of tables took a third of a scan
CREATE TABLE details (file INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE, data TEXT NOT NULL, diagnostics TEXT NOT NULL) STRICT;
-- the same as tables
CREATE VIEW bones AS SELECT d.file, e.key AS number, e.value AS name FROM details d, json_each(d.data, '$.bones') e;
${listView('meshes', columns('name', 'vertices', 'triangles', 'bone'))}
${listView('skins', columns('mesh', 'vertices', 'weights', 'maxInfluences'))}
-- how each bone of a skin is used: vertices it moves, sum of its weights in the file's own scale
CREATE VIEW skin_bones AS SELECT d.file, s.key AS skin, e.key AS number, ${columns('name', 'vertices', 'sum')}
  FROM details d, json_each(d.data, '$.skins') s, json_each(s.value, '$.bones') e;
${listView('clips', columns('name', 'frames', 'rate', 'tracks', 'keys'))}
${listView('slices', columns('name', 'start', 'end', 'speed'))}
${listView('textures', columns('name', 'width', 'height', 'format'))}
CREATE VIEW diagnostics AS SELECT d.file, e.key AS number, ${columns('severity', 'code', 'message', 'path', 'offset')} FROM details d, json_each(d.diagnostics) e;
-- what a file gives to others and looks for in others, lower case. One tree, in the order in which it is asked for: with another by files its rows took
-- twice as long. Those of a file that goes are found by what its details say
CREATE TABLE keys (
  key TEXT NOT NULL, direction TEXT NOT NULL CHECK (direction IN ('provides', 'needs')), file INTEGER NOT NULL, number INTEGER NOT NULL,
  PRIMARY KEY (key, direction, file, number)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER files_keys BEFORE DELETE ON files WHEN old.keys > 0 BEGIN
  DELETE FROM keys WHERE file = old.id AND key IN (
    SELECT e.value FROM details d, json_each(d.data, '$.provides') e WHERE d.file = old.id
    UNION ALL SELECT e.value FROM details d, json_each(d.data, '$.needs') e WHERE d.file = old.id);
END;

CREATE TABLE models (
  id INTEGER PRIMARY KEY,
  family TEXT NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL, "primary" TEXT NOT NULL,
  -- of the file that is the primary one
  folder INTEGER,
  size INTEGER NOT NULL, bones INTEGER NOT NULL, meshes INTEGER NOT NULL, clips INTEGER NOT NULL, slices INTEGER NOT NULL, textures INTEGER NOT NULL,
  -- rows of members, and of model_lists
  members INTEGER NOT NULL, lists INTEGER NOT NULL
) STRICT;
CREATE INDEX models_name ON models (name_key, id);
CREATE INDEX models_family ON models (family);
CREATE INDEX models_primary ON models ("primary");
CREATE TABLE members (
  model INTEGER NOT NULL REFERENCES models (id) ON DELETE CASCADE, number INTEGER NOT NULL,
  file INTEGER, ref TEXT NOT NULL, role TEXT NOT NULL, why TEXT NOT NULL, detail TEXT NOT NULL, matched INTEGER, total INTEGER, PRIMARY KEY (model, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_file ON members (file);
CREATE INDEX members_ref ON members (ref);
-- members that many models have alike, once: where thousands of animations move each of a thousand models, rows of each pair would be millions
CREATE TABLE lists (
  id INTEGER PRIMARY KEY,
  -- rows of listed
  listed INTEGER NOT NULL
) STRICT;
CREATE TABLE listed (
  list INTEGER NOT NULL REFERENCES lists (id) ON DELETE CASCADE, number INTEGER NOT NULL,
  file INTEGER, ref TEXT NOT NULL, role TEXT NOT NULL, why TEXT NOT NULL, detail TEXT NOT NULL, matched INTEGER, total INTEGER, PRIMARY KEY (list, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX listed_file ON listed (file);
CREATE INDEX listed_ref ON listed (ref);
CREATE TABLE model_lists (
  model INTEGER NOT NULL REFERENCES models (id) ON DELETE CASCADE, number INTEGER NOT NULL,
  list INTEGER NOT NULL REFERENCES lists (id) ON DELETE CASCADE, PRIMARY KEY (model, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX model_lists_list ON model_lists (list);

-- files that binders opened when models were put together: what is in them tells more than their summaries
CREATE TABLE opened (ref TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- what searches look through: a file's own name, its folder and every name in it, a line each, as searchText writes them
CREATE TABLE names (file INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE, text TEXT NOT NULL) STRICT;
`
