import type { ESLint } from 'eslint'

export const FAMILIES: { id: string; label: string }[]
export const MAY_NAME_FAMILIES: string[]
declare const plugin: ESLint.Plugin
export default plugin
