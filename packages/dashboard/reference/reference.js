import { init } from './redoc.js'

init(
  '/openapi.json',
  { disableTelemetry: true, hideLoading: true, hideSchemaPattern: true, sortRequiredPropsFirst: true },
  document.getElementById('reference'),
)
