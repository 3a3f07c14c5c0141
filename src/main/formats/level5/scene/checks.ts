/** What two files of a model must agree on. The assembler and the rules report it in the same words, so that it is shown once. */
import { meshOf, nodeName } from '../codecs/mds.ts'
import { materialName } from '../codecs/mdt.ts'
import { KEY_WORDS, keyTotal } from '../codecs/tracks.ts'
import { weightGroups } from '../codecs/wgt.ts'
import { say } from '../texts/index.ts'
import type { Diagnostic } from '../../../../shared/api/errors.ts'
import type { BbpDocument } from '../codecs/bbp.ts'
import type { MdsDocument } from '../codecs/mds.ts'
import type { TrackListDocument } from '../codecs/tracks.ts'

/** Animation tracks of nodes that the model does not have. */
export function checkTrackNodes(list: TrackListDocument, model: MdsDocument): Diagnostic[] {
  const lost = list.tracks.flatMap((t, i) => (t.node < 0 || t.node >= model.nodes.length ? [i] : []))
  if (!lost.length) return []
  return [
    {
      severity: 'warning',
      code: 'level5.track-node',
      message: say('scene.tracksOfNoNode', { count: lost.length, all: list.tracks.length }),
      ref: list.ref,
      path: `tracks[${lost[0]}].node`,
      offset: list.tracks[lost[0]].range.start,
    },
  ]
}

/** Weight groups whose owner, bone or vertices the model does not have. */
export function checkSkins(list: TrackListDocument, model: MdsDocument): Diagnostic[] {
  const out: Diagnostic[] = []
  const homeless = new Set<number>()
  const groups = new Set(weightGroups(list))
  list.tracks.forEach((track, i) => {
    if (!groups.has(track)) return
    const at = track.range.start
    const n = model.nodes[track.node]
    const mdt = n && meshOf(model, n)
    if (!mdt) {
      if (!homeless.has(track.node))
        out.push({
          severity: 'error',
          code: 'level5.skin-owner',
          message: say('scene.weightsWithoutMesh', { node: track.node }),
          ref: list.ref,
          path: `tracks[${i}].meshNode`,
          offset: at,
        })
      homeless.add(track.node)
      return
    }
    if (track.target < 0 || track.target >= model.nodes.length) {
      out.push({
        severity: 'error',
        code: 'level5.skin-bone',
        message: say('scene.noSuchBone', { bone: track.target, nodes: model.nodes.length }),
        ref: list.ref,
        path: `tracks[${i}].bone`,
        offset: at + 4,
      })
      return
    }
    const count = mdt.vertices.length / 4
    let outside = 0
    let first = 0
    for (let k = keyTotal(track) - 1; k >= 0; k--) {
      if (track.keys[KEY_WORDS * k] < count) continue
      outside++
      first = k
    }
    if (outside)
      out.push({
        severity: 'error',
        code: 'level5.skin-vertex',
        message: say('scene.weightsOutside', { count: outside, mesh: nodeName(n) }),
        ref: list.ref,
        path: `tracks[${i}].keys[${first}].vertex`,
        offset: at + 0x20 + 0x20 * first,
      })
  })
  return out
}

export function checkBindPose(bbp: BbpDocument, model: MdsDocument): Diagnostic[] {
  const count = bbp.matrices.length / 16
  if (count === model.nodes.length && !bbp.trailing.length) return []
  return [
    {
      severity: 'warning',
      code: 'level5.bbp-nodes',
      message: bbp.trailing.length
        ? say('scene.bindMatricesAndBytes', { count: count, bytes: bbp.trailing.length, nodes: model.nodes.length })
        : say('scene.bindMatrices', { count: count, nodes: model.nodes.length }),
      ref: bbp.ref,
      path: 'matrices',
      offset: Math.min(count, model.nodes.length) * 64,
    },
  ]
}

/** Materials whose texture no file of the model has. */
export function checkTextures(model: MdsDocument, has: (texture: string) => boolean): Diagnostic[] {
  return model.nodes.flatMap((n, i) =>
    (meshOf(model, n)?.materials ?? []).flatMap((m, k): Diagnostic[] => {
      const texture = materialName(m)
      return !texture || has(texture)
        ? []
        : [
            {
              severity: 'warning',
              code: 'level5.texture-missing',
              message: say('scene.noPicture', { texture, node: nodeName(n) }),
              ref: model.ref,
              path: `nodes[${i}].mdt.materials[${k}].texture`,
              offset: -1,
            },
          ]
    }),
  )
}
