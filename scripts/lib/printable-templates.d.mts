import type { Options } from '@vitejs/plugin-vue'

export const templateOptions: Pick<Options, 'template'>
