/** Figures of the viewport for the status bar. */
import { defineStore } from 'pinia'
import { shallowReactive } from 'vue'
import type { ViewStats } from '../viewport/types.ts'

export const viewStats = defineStore('view-stats', () => shallowReactive<ViewStats>({ fps: 0, triangles: 0, vertices: 0, cpu: 0 }))
