export const workers: Record<string, string>
