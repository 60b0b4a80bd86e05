import type { GeneratedClient } from './generated-client.ts'

const program = `package call;

import org.openapitools.client.ApiClient;
import org.openapitools.client.api.WebhookEndpointsApi;
import org.openapitools.client.auth.HttpBearerAuth;

public final class Call {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient().setBasePath(System.getenv("POSTHORN_URL"));
    ((HttpBearerAuth) client.getAuthentication("apiKey")).setBearerToken(System.getenv("POSTHORN_API_KEY"));
    System.out.println(new WebhookEndpointsApi(client).listWebhooks(10, null).getData().get(0).getUrl());
  }
}
`

/** Compiles the library with Maven and lists endpoints. */
export const callFromJava: GeneratedClient = {
  generate: ['-g', 'java'],
  files: [{ path: 'src/main/java/call/Call.java', text: program }],
  commands: [
    ['mvn', '--quiet', '--batch-mode', 'compile', 'dependency:copy-dependencies'],
    ['java', '-cp', 'target/classes:target/dependency/*', 'call.Call'],
  ],
}
