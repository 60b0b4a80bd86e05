import { createServer } from 'node:http' // expect no-restricted-imports
import { fastify } from 'fastify' // expect no-restricted-imports
import * as z from 'zod'
import { route } from './route.ts'

export const planted = [createServer, fastify, z, route]
