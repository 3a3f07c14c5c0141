// The services that a host serves, made from the sources: Node 24 runs them as they are.
export async function createHostServices(options) {
  const { createServices } = await import('../../src/main/services/create-services.ts')
  return createServices(options)
}
