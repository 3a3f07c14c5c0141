/** Names of animations in packages. */
import { withName } from '../../../binary/reader.ts'
import type { IfpAnimation } from '../codecs/ifp-bones.ts'

/** ANP3 has a field of 24 bytes, whose junk behind the name stays; ANPK a chunk as long as the name, padded to four. */
export function setName(animation: IfpAnimation, name: Uint8Array): void {
  const own = animation.anpk
  if (!own) {
    animation.name = withName(animation.name, name)
    return
  }
  animation.name = Uint8Array.from([...name, 0])
  own.nameSize = animation.name.length
  own.namePad = new Uint8Array((4 - (own.nameSize & 3)) & 3)
}
