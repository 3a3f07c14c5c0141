/** The page looks as the system does until the window has read its own setting: also where the window cannot be drawn at all. @returns ends it */
export function lookAsSystem(): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const show = (): void => void (document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light')
  dark.onchange = show
  show()
  return () => void (dark.onchange = null)
}
