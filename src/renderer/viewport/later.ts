/** The picture with its graphics engine: more than half of the window's scripts, which the first page does without. */
import { defineAsyncComponent } from 'vue'

export const fetchViewport = () => import('./Viewport.vue')

/** Beside what is there at once: the picture, as soon as its scripts are. */
export const LaterViewport = defineAsyncComponent(fetchViewport)
