/** The page looks as the system does until the window has read its own setting: also where the window cannot be drawn at all. */
let followed: MediaQueryList | undefined

function show(): void {
  document.documentElement.dataset.theme = followed?.matches ? 'dark' : 'light'
}

export function lookAsSystem(): void {
  followed = matchMedia('(prefers-color-scheme: dark)')
  followed.onchange = show
  show()
}

/** The window does it from now on. */
export function lookAsSet(): void {
  if (followed) followed.onchange = null
  followed = undefined
}
