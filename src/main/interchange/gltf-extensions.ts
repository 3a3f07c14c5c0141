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

/** Channels that move something else than a node's transform. */
export class AnimationPointers extends Extension {
  static override readonly EXTENSION_NAME = 'KHR_animation_pointer'
  override readonly extensionName = AnimationPointers.EXTENSION_NAME
  /** the node whose visibility a channel moves; the channel itself has no target */
  readonly visibility = new Map<AnimationChannel, Node>()

  override read(): this {
    return this
  }

  override write(context: WriterContext): this {
    this.document
      .getRoot()
      .listAnimations()
      .forEach((animation, a) => {
        animation.listChannels().forEach((channel, c) => {
          const node = this.visibility.get(channel)
          const json = context.jsonDoc.json.animations?.[a]?.channels[c]
          if (!node || !json) return
          const pointer = `/nodes/${context.nodeIndexMap.get(node)}/extensions/${NodeVisibility.EXTENSION_NAME}/visible`
          json.target = { path: 'pointer' as 'translation', extensions: { [this.extensionName]: { pointer } } }
        })
      })
    return this
  }
}

export const EXTENSIONS = [UnlitMaterials, NodeVisibility, AnimationPointers]
