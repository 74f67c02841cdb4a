export function buildNativeCopy(server: string, folder: string): Promise<void>
