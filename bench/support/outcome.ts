/**
 * A typical outcome. As an event it has about 0.5 kB.
 * @param dueMs the scheduled time of the report in epoch milliseconds with fractions, to measure latency
 */
export function outcome(n: number, dueMs?: number): object {
  return {
    type: 'email.delivered',
    data: {
      email_id: `em_${n}`,
      to: [`reader${n}@example.org`],
      message_id: `${n}.7f3a9c@mail.acme.example`,
      from: 'Acme <no-reply@acme.example>',
      subject: `Your receipt number ${n}`,
      tags: { kind: 'receipt' },
      metadata: { order_id: n, ...(dueMs !== undefined && { due_ms: dueMs }) },
      smtp_response: { code: 250, enhanced_code: '2.0.0', message: `Ok: queued as ${n}` },
      remote_mta: { name: 'mx1.example.org', ip: '192.0.2.7' },
      attempts: 1,
    },
  }
}
