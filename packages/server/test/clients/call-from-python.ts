import type { GeneratedClient } from './generated-client.ts'

const program = `
import os
import posthorn_client

settings = posthorn_client.Configuration(
    host=os.environ["POSTHORN_URL"], access_token=os.environ["POSTHORN_API_KEY"]
)
with posthorn_client.ApiClient(settings) as client:
    page = posthorn_client.WebhookEndpointsApi(client).list_webhooks(limit=10)
print(page.data[0].url)
`

/** Installs the package into a virtual environment, compiles it, and lists endpoints. */
export const callFromPython: GeneratedClient = {
  generate: ['-g', 'python', '--additional-properties=packageName=posthorn_client'],
  files: [{ path: 'call.py', text: program }],
  commands: [
    ['python3', '-m', 'venv', '.venv'],
    ['.venv/bin/python', '-m', 'pip', 'install', '--quiet', '.'],
    ['.venv/bin/python', '-m', 'compileall', '-q', 'posthorn_client'],
    ['.venv/bin/python', 'call.py'],
  ],
}
