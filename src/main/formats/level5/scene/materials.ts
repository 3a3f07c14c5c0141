/** Materials of the scene: what a mesh says of them, and what the name of its node adds. */
import { plainMaterial } from '../../../../shared/scene/types.ts'
import { mendNumbers } from '../../finite.ts'
import { nodeAttributes } from '../codecs/attributes.ts'
import { nodeName } from '../codecs/mds.ts'
import { materialName } from '../codecs/mdt.ts'
import type { Scene } from '../../../../shared/scene/types.ts'
import type { MdsDocument } from '../codecs/mds.ts'
import type { MdtNode } from '../codecs/mdt.ts'
import type { Textures } from './textures.ts'

/** Material `k` of the mesh of a node. */
export function addMaterial(scene: Scene, model: MdsDocument, node: number, mdt: MdtNode, k: number, textures: Textures): void {
  const m = mdt.materials[k]
  const name = nodeName(model.nodes[node])
  const attributes = nodeAttributes(name)
  const texture = materialName(m)
  const material = plainMaterial(texture || `${name} ${k}`, { ref: model.ref, path: `nodes[${node}].mdt.materials[${k}]` })
  const d = m.values.slice(0, 4)
  mendNumbers(d, 1)
  material.diffuse = [clamp(d[0]), clamp(d[1]), clamp(d[2]), clamp(d[3])]
  material.texture = texture ? textures.find(texture) : -1
  // the PS2 has no back-face culling of its own, and planes of effects are seen from both sides
  material.doubleSided = !attributes.backCulled
  material.lit = !attributes.unlit
  material.depthWrite = !attributes.noDepthWrite
  material.depthTest = !attributes.ignoreDepth
  material.vertexColors = mdt.colors.length > 0
  const seeThrough = material.diffuse[3] < 1 || (material.texture >= 0 && scene.textures[material.texture].hasAlpha)
  if (attributes.blend === 'additive' || attributes.blend === 'subtractive') material.blend = attributes.blend
  else if (attributes.blend === 'opaque' || !seeThrough) material.blend = 'opaque'
  else {
    material.blend = 'alpha'
    material.alphaTest = 1 / 255
  }
  if (attributes.alphaRef >= 0) material.alphaTest = Math.min(1, attributes.alphaRef / 0x80)
  scene.materials.push(material)
}

function clamp(v: number): number {
  return v < 0 ? 0 : v > 1 ? 1 : v
}
