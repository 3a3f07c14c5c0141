/** New files from plain data: models, texture dictionaries, animation packages. The sample library and the tests are made with these. */
export { newDff } from './make/model.ts'
export { newTexture, newTxd } from './make/textures.ts'
export { newIfp } from './make/clips.ts'
export type { NewFrame, NewModel, NewSkin } from './make/model.ts'
export type { NewRaster } from './make/textures.ts'
export type { NewTrack } from './make/clips.ts'
