import type { GeneratedClient } from './generated-client.ts'

const program = `package main

import (
	"context"
	"fmt"
	"os"

	posthorn "example.com/acme/posthorn"
)

func main() {
	settings := posthorn.NewConfiguration()
	settings.Servers = posthorn.ServerConfigurations{{URL: os.Getenv("POSTHORN_URL")}}
	client := posthorn.NewAPIClient(settings)
	ctx := context.WithValue(context.Background(), posthorn.ContextAccessToken, os.Getenv("POSTHORN_API_KEY"))
	page, _, err := client.WebhookEndpointsAPI.ListWebhooks(ctx).Limit(10).Execute()
	if err != nil {
		panic(err)
	}
	fmt.Println(page.Data[0].Url)
}
`

/** Builds all packages of the module and lists endpoints. */
export const callFromGo: GeneratedClient = {
  generate: [
    '-g',
    'go',
    '--additional-properties=packageName=posthorn',
    '--git-host=example.com',
    '--git-user-id=acme',
    '--git-repo-id=posthorn',
  ],
  files: [{ path: 'call/main.go', text: program }],
  commands: [
    ['go', 'mod', 'tidy'],
    ['go', 'build', './...'],
    ['go', 'run', './call'],
  ],
}
