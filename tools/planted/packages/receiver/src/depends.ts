import { z } from 'zod' // expect no-restricted-imports
import { routes } from '@posthorn/contract' // expect no-restricted-imports
import { createServer } from 'node:http'
import { route } from './route.ts'

export const planted = [z, routes, createServer, route]
