import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), preloadSans()],
  resolve: { conditions: ['@posthorn/source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2023',
    manifest: true,
    // a small picture as a data: URL would be refused by the Content-Security-Policy
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // a file costs the browser more than a kilobyte that a page does not need
          groups: [
            { name: 'first', tags: ['$initial'], priority: 1 },
            { name: 'parts', minShareCount: 6 },
          ],
        },
      },
    },
  },
  // while the page is written, a service that listens where `npm start` does answers it
  server: { proxy: { '/v1': 'http://127.0.0.1:4100', '/openapi.json': 'http://127.0.0.1:4100' } },
})

/** The font of nearly every word is asked for together with the page, not after the style sheet. */
function preloadSans(): Plugin {
  return {
    name: 'preload-sans',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter(file => /ibm-plex-sans-latin-wght-normal.*\.woff2$/.test(file))
          .map(file => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  }
}
