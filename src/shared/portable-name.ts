/** Names that every file system takes. */

/** What Windows has in no name. */
const FORBIDDEN = /[\u0000-\u001f<>:"/\\|?*]/
/** Windows takes these for devices, with any extension and spaces before it. */
export const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])(?=[ .]*$| *\.)/i

/** Whether every system can have a file or folder of this name. */
export function isPortableName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !FORBIDDEN.test(name) && !/[. ]$/.test(name) && !DEVICE.test(name)
}
