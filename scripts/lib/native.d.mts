export function whyNoDatabase(open?: () => void): string | null
