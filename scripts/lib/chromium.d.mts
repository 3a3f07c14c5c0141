export function chromiumLaunchOptions(): Promise<{ executablePath: string; args: string[]; env: Record<string, string> }>
