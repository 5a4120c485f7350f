import '@fontsource-variable/hanken-grotesk/index.css'
import '@fontsource-variable/atkinson-hyperlegible-mono/index.css'
import './base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ThemedApp } from './shell/themed-app.tsx'
import { queryClient, router } from './router.tsx'

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ThemedApp>
          <RouterProvider router={router} />
        </ThemedApp>
      </QueryClientProvider>
    </StrictMode>,
  )
