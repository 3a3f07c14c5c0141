/// <reference types="vite/client" />

declare module 'vue' {
  interface ComponentCustomProperties {
    /** put around every text of a template by the build */
    $printable: (value: unknown) => unknown
  }
}

export {}
