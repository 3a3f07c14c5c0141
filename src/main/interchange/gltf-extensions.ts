/** Khronos extensions that an export writes; a program that does not know one shows the rest as it is. */
import { Extension } from '@gltf-transform/core'
import type { AnimationChannel, Material, Node, WriterContext } from '@gltf-transform/core'

/** Materials that light does nothing to. */
export class UnlitMaterials extends Extension {
  static override readonly EXTENSION_NAME = 'KHR_materials_unlit'
  override readonly extensionName = UnlitMaterials.EXTENSION_NAME
  readonly materials = new Set<Material>()

  override read(): this {
    return this
  }

  override write(context: WriterContext): this {
    for (const material of this.materials) {
      const index = context.materialIndexMap.get(material)
      const json = index === undefined ? undefined : context.jsonDoc.json.materials?.[index]
      if (json) json.extensions = { ...json.extensions, [this.extensionName]: {} }
    }
    return this
  }
}

/** Nodes that are not shown, or at some times. */
export class NodeVisibility extends Extension {
  static override readonly EXTENSION_NAME = 'KHR_node_visibility'
  override readonly extensionName = NodeVisibility.EXTENSION_NAME
  readonly nodes = new Map<Node, boolean>()

  override read(): this {
    return this
  }

  override write(context: WriterContext): this {
    for (const [node, visible] of this.nodes) {
      const index = context.nodeIndexMap.get(node)
      const json = index === undefined ? undefined : context.jsonDoc.json.nodes?.[index]
      if (json) json.extensions = { ...json.extensions, [this.extensionName]: { visible } }
    }
    return this
  }
}

/** What a channel moves that is no node's transform: whether a node is shown, or the colour of a material with its opacity. */
export type PointerTarget = { node: Node } | { material: Material }

/** Channels that move something else than a node's transform. */
export class AnimationPointers extends Extension {
  static override readonly EXTENSION_NAME = 'KHR_animation_pointer'
  override readonly extensionName = AnimationPointers.EXTENSION_NAME
  /** of channels that have no target themselves */
  readonly targets = new Map<AnimationChannel, PointerTarget>()

  override read(): this {
    return this
  }

  override write(context: WriterContext): this {
    this.document
      .getRoot()
      .listAnimations()
      .forEach((animation, a) => {
        animation.listChannels().forEach((channel, c) => {
          const target = this.targets.get(channel)
          const json = context.jsonDoc.json.animations?.[a]?.channels[c]
          if (!target || !json) return
          const pointer =
            'node' in target
              ? `/nodes/${context.nodeIndexMap.get(target.node)}/extensions/${NodeVisibility.EXTENSION_NAME}/visible`
              : `/materials/${context.materialIndexMap.get(target.material)}/pbrMetallicRoughness/baseColorFactor`
          json.target = { path: 'pointer' as 'translation', extensions: { [this.extensionName]: { pointer } } }
        })
      })
    return this
  }
}

export const EXTENSIONS = [UnlitMaterials, NodeVisibility, AnimationPointers]
