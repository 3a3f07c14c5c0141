import { connect } from './api/connect.ts'

const app = document.getElementById('app')!

connect()
  .then(async (api) => {
    const info = await api.call('app.info', {})
    app.textContent = `Marrow ${info.version}`
  })
  .catch((error: unknown) => {
    app.textContent = error instanceof Error ? error.message : String(error)
  })
