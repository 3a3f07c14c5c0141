/** The picture with its graphics engine: more than half of the window's scripts, which the first page does without. */
import { defineAsyncComponent } from 'vue'
import { idle } from '../ui/idle.ts'

const fetchViewport = () => import('./Viewport.vue')

/** Beside what is there at once: the picture, as soon as its scripts are. */
export const LaterViewport = defineAsyncComponent(fetchViewport)

/** While the window rests, so that a click on a model does not wait for it. @returns whether it is there; what fails is fetched again by who needs it */
export async function fetchWhileIdle(): Promise<boolean> {
  await idle()
  return fetchViewport().then(
    () => true,
    () => false,
  )
}
