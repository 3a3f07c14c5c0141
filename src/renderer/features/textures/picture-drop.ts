/** A picture that is dropped on a texture's replaces it. The place is marked with `data-takes-png`: what else is dropped there is the window's. */
import { ref, type Ref } from 'vue'
import { carriesFiles, isPng } from '../../ui/files.ts'
import { useTextures } from './store.ts'

interface PictureDrop {
  /** a picture that can go in is over the place */
  over: Ref<boolean>
  /** to be bound to the place */
  on: Record<'dragenter' | 'dragover' | 'dragleave' | 'drop', (event: DragEvent) => void>
}

export function usePictureDrop(texture: () => number, editable: () => boolean): PictureDrop {
  const textures = useTextures()
  const over = ref(false)

  /** Before the drop a browser tells types only. */
  function drag(event: DragEvent): void {
    if (!carriesFiles(event) || (event.dataTransfer!.items[0]?.type ?? 'image/png') !== 'image/png') return
    event.preventDefault()
    over.value = editable()
    event.dataTransfer!.dropEffect = editable() ? 'copy' : 'none'
  }

  function drop(event: DragEvent): void {
    over.value = false
    const file = event.dataTransfer?.files[0] ?? null
    if (!carriesFiles(event) || !isPng(file)) return
    event.preventDefault()
    if (editable()) void textures.replace(texture(), file)
  }

  return { over, on: { dragenter: drag, dragover: drag, dragleave: () => (over.value = false), drop } }
}
