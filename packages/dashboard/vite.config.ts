import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), preloadFonts()],
  resolve: { conditions: ['@posthorn/source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2023',
    manifest: true,
    // the Content-Security-Policy refuses data: URLs, so even small images stay files
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // a separate file costs more time than loading an unneeded kilobyte
          groups: [
            { name: 'first', tags: ['$initial'], priority: 1 },
            { name: 'parts', minShareCount: 3 },
          ],
        },
      },
    },
  },
  // during development, the service of `npm start` answers API requests
  server: { proxy: { '/v1': 'http://127.0.0.1:4100', '/openapi.json': 'http://127.0.0.1:4100' } },
})

/** Preloads the fonts with the page, before the style sheet is parsed, so that the first text already has them. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter(file => file.endsWith('.woff2'))
          .map(file => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  }
}
