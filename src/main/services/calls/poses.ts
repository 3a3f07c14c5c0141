/** Poses that the user keeps of skeletons. */
import { encode as encodePng } from 'fast-png'
import { PICTURE_SIZE } from '../../../shared/api/types/library.ts'
import { safeName } from '../../files/file-names.ts'
import { PoseShelfFiles } from '../pose-shelves.ts'
import { withIn } from './checks.ts'
import type { CallContext, HandlersOf } from './context.ts'

export function poseCalls({ workspace, stateFiles }: CallContext): HandlersOf<'poses'> {
  const shelves = new PoseShelfFiles(stateFiles)
  const sceneOf = (model: string) => workspace.model(model).assembled.scene
  const namesOf = (model: string): readonly string[] => sceneOf(model).skeleton.names

  return {
    'poses.list': ({ model }) => shelves.list(namesOf(model)),
    'poses.keep': ({ model, name, group, joints, translation, rotation, rgba }) => {
      const { name: label, skeleton } = sceneOf(model)
      for (const joint of joints) withIn(skeleton.names, joint, 'joint')
      const size = { width: PICTURE_SIZE, height: PICTURE_SIZE }
      const png = rgba ? encodePng({ ...size, data: rgba, channels: 4, depth: 8 }) : null
      const pose = { name, group, joints: joints.map((joint) => skeleton.names[joint]), translation, rotation, png }
      return { id: shelves.add(skeleton.names, label, pose) }
    },
    'poses.change': ({ shelf, pose, name, group }) => {
      shelves.change(shelf, pose, { name, group })
      return null
    },
    'poses.remove': ({ shelf, pose }) => {
      shelves.remove(shelf, pose)
      return null
    },
    'poses.putBack': ({ shelf, pose }) => {
      shelves.putBack(shelf, pose)
      return null
    },
    'poses.export': ({ shelf }) => {
      const { name, bytes } = shelves.export(shelf)
      return { name: `${safeName(name)}.marrow-poses.json`, bytes }
    },
    'poses.import': ({ model, name, bytes }) => shelves.import(namesOf(model), name, bytes),
  }
}
