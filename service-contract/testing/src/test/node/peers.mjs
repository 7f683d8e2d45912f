// Drives the scripted model with the providers' own clients and says "ok <promise>" a line.
import assert from 'node:assert/strict'
import Anthropic from '@anthropic-ai/sdk'
import { Ollama } from 'ollama'
import OpenAI from 'openai'

const url = process.argv[2]
const openai = new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, maxRetries: 0 })
const anthropic = new Anthropic({ apiKey: 'sk-ant-test', baseURL: url, maxRetries: 0 })
const ollama = new Ollama({ host: url })
const user = [{ role: 'user', content: 'Hi' }]
const tool = { type: 'function', function: { name: 'add', parameters: { type: 'object' } } }

const post = (path, body) => fetch(url + path, { method: 'POST', body: JSON.stringify(body ?? {}) })
const script = (...answers) => post('/__script', answers)
const requests = async () => (await fetch(`${url}/__requests`)).json()

async function all(stream) {
  const items = []
  for await (const item of stream) items.push(item)
  return items
}

async function promise(name, body) {
  await post('/__reset')
  await body()
  console.log(`ok ${name}`)
}

const said = [{ pieces: 3 }, { text: ['Grüß ', '世界 ', '🌊'] }, { usage: [11, 3] }, { finish: 'stop' }]
const called = [
  { toolFragment: { index: 0, id: 'call_a', name: 'add', arguments: '' } },
  { toolFragment: { index: 1, id: 'call_b', name: 'add', arguments: '' } },
  { toolFragment: { index: 0, arguments: '{"a":' } },
  { toolFragment: { index: 1, arguments: '{"b":' } },
  { toolFragment: { index: 0, arguments: '1}' } },
  { toolFragment: { index: 1, arguments: '2}' } },
  { usage: [17, 5] },
  { finish: 'tool_calls' }
]
const wholeCall = [
  { toolCall: { id: 'call_a', name: 'add', arguments: ['{"a":1}'] } },
  { finish: 'tool_calls' }
]

await promise('openai reads text cut inside characters', async () => {
  await script(said)
  const chunks = await all(
    await openai.chat.completions.create({
      model: 'gpt-4o', messages: user, stream: true, stream_options: { include_usage: true }
    })
  )
  const text = chunks.map((c) => c.choices[0]?.delta?.content ?? '').join('')
  assert.equal(text, 'Grüß 世界 🌊')
  assert.equal(chunks.find((c) => c.usage).usage.completion_tokens, 3)
  assert.equal(chunks.findLast((c) => c.choices[0]).choices[0].finish_reason, 'stop')
  const [request] = await requests()
  assert.equal(request.headers.authorization, 'Bearer sk-test')
  assert.equal(request.body.messages[0].content, 'Hi')
})

await promise('openai assembles interleaved tool calls', async () => {
  await script(called)
  const stream = openai.chat.completions.stream({ model: 'gpt-4o', messages: user, tools: [tool] })
  const message = (await stream.finalChatCompletion()).choices[0].message
  assert.deepEqual(
    message.tool_calls.map((c) => [c.id, c.function.name, c.function.arguments]),
    [['call_a', 'add', '{"a":1}'], ['call_b', 'add', '{"b":2}']]
  )
})

await promise('openai reads deepseek reasoning beside text', async () => {
  await script([{ thinking: ['let ', 'me'] }, { text: ['ok'] }, { finish: 'stop' }])
  const chunks = await all(
    await openai.chat.completions.create({ model: 'deepseek-reasoner', messages: user, stream: true })
  )
  const reasoning = chunks.map((c) => c.choices[0]?.delta?.reasoning_content ?? '').join('')
  assert.equal(reasoning, 'let me')
})

await promise('openai reads an answer that is not streamed', async () => {
  await script(said)
  const answer = await openai.chat.completions.create({ model: 'gpt-4o', messages: user })
  assert.equal(answer.choices[0].message.content, 'Grüß 世界 🌊')
  assert.equal(answer.usage.prompt_tokens, 11)
})

await promise('openai understands failures', async () => {
  await script({ status: 429, type: 'rate_limit_exceeded', message: 'Slow', headers: { 'retry-after': '7' } })
  const refused = await openai.chat.completions
    .create({ model: 'gpt-4o', messages: user, stream: true })
    .catch((e) => e)
  assert.ok(refused instanceof OpenAI.RateLimitError)
  assert.equal(refused.headers.get('retry-after'), '7')

  await script([{ text: ['part'] }, { fail: ['server_error', 'Broke'] }])
  const broken = await openai.chat.completions.create({ model: 'gpt-4o', messages: user, stream: true })
  await assert.rejects(() => all(broken), /Broke|server_error/)

  await script([{ text: ['part'] }, { cut: true }])
  const cut = await openai.chat.completions.create({ model: 'gpt-4o', messages: user, stream: true })
  await assert.rejects(() => all(cut))
})

await promise('openai lists models', async () => {
  const names = (await all(await openai.models.list())).map((m) => m.id)
  assert.ok(names.includes('scripted'))
})

await promise('anthropic reads text cut inside characters', async () => {
  await script(said)
  const message = await anthropic.messages
    .stream({ model: 'claude', max_tokens: 100, messages: user })
    .finalMessage()
  assert.equal(message.content[0].text, 'Grüß 世界 🌊')
  assert.equal(message.stop_reason, 'end_turn')
  assert.equal(message.usage.output_tokens, 3)
  const [request] = await requests()
  assert.equal(request.headers.authorization ?? request.headers['x-api-key'], 'Bearer sk-ant-test')
  assert.ok(request.headers['anthropic-version'])
})

await promise('anthropic reads signed thinking, text and a tool call', async () => {
  await script([
    { thinking: ['hm', 'm'] }, { signature: 'c2ln' }, { keepAlive: true }, { text: ['ok'] },
    { toolCall: { id: 'toolu_1', name: 'add', arguments: ['{"a"', ':1}'] } },
    { usage: [9, 8] }, { finish: 'tool_calls' }
  ])
  const message = await anthropic.messages
    .stream({ model: 'claude', max_tokens: 100, messages: user })
    .finalMessage()
  assert.deepEqual(message.content.map((b) => b.type), ['thinking', 'text', 'tool_use'])
  assert.equal(message.content[0].thinking, 'hmm')
  assert.equal(message.content[0].signature, 'c2ln')
  assert.deepEqual(message.content[2].input, { a: 1 })
  assert.equal(message.stop_reason, 'tool_use')
})

await promise('anthropic reads interleaved tool calls', async () => {
  await script(called)
  const message = await anthropic.messages
    .stream({ model: 'claude', max_tokens: 100, messages: user })
    .finalMessage()
  assert.deepEqual(message.content.map((b) => b.input), [{ a: 1 }, { b: 2 }])
})

await promise('anthropic reads an answer that is not streamed', async () => {
  await script(wholeCall)
  const message = await anthropic.messages.create({ model: 'claude', max_tokens: 100, messages: user })
  assert.deepEqual(message.content[1].input, { a: 1 })
})

await promise('anthropic understands failures', async () => {
  await script({ status: 529, type: 'overloaded_error', message: 'Overloaded' })
  const refused = await anthropic.messages
    .create({ model: 'claude', max_tokens: 100, messages: user, stream: true })
    .catch((e) => e)
  assert.equal(refused.status, 529)

  await script([{ text: ['part'] }, { fail: ['overloaded_error', 'Overloaded'] }])
  await assert.rejects(
    () => anthropic.messages.stream({ model: 'claude', max_tokens: 100, messages: user }).finalMessage(),
    /Overloaded|overloaded_error/
  )
})

await promise('anthropic lists models', async () => {
  const names = (await all(await anthropic.models.list())).map((m) => m.id)
  assert.ok(names.includes('scripted'))
})

await promise('ollama reads text and thinking cut inside characters', async () => {
  await script([{ pieces: 2 }, { thinking: ['思'] }, { text: ['海', '🌊'] }, { usage: [4, 2] }, { finish: 'stop' }])
  const lines = await all(await ollama.chat({ model: 'qwen3:4b', messages: user, stream: true }))
  assert.equal(lines.map((l) => l.message.content).join(''), '海🌊')
  assert.equal(lines.map((l) => l.message.thinking ?? '').join(''), '思')
  assert.equal(lines.at(-1).eval_count, 2)
  assert.equal(lines.at(-1).done, true)
})

await promise('ollama reads whole tool calls', async () => {
  await script(called)
  const lines = await all(await ollama.chat({ model: 'qwen3:4b', messages: user, stream: true, tools: [tool] }))
  const calls = lines.flatMap((l) => l.message.tool_calls ?? [])
  assert.deepEqual(calls.map((c) => c.function.arguments), [{ a: 1 }, { b: 2 }])
})

await promise('ollama reads an answer that is not streamed', async () => {
  await script(said)
  const answer = await ollama.chat({ model: 'qwen3:4b', messages: user })
  assert.equal(answer.message.content, 'Grüß 世界 🌊')
})

await promise('ollama understands failures', async () => {
  await script({ status: 404, type: 'not_found', message: "model 'x' not found" })
  await assert.rejects(() => ollama.chat({ model: 'x', messages: user, stream: true }), /not found/)
  await script([{ text: ['part'] }, { fail: ['error', 'ran out of memory'] }])
  const broken = await ollama.chat({ model: 'qwen3:4b', messages: user, stream: true })
  await assert.rejects(() => all(broken), /ran out of memory/)
})

await promise('ollama lists models', async () => {
  const names = (await ollama.list()).models.map((m) => m.name)
  assert.ok(names.includes('qwen3:4b'))
})

await promise('a client that goes is noticed', async () => {
  await script([{ text: ['part'] }, { hang: true }])
  const stream = await openai.chat.completions.create({ model: 'gpt-4o', messages: user, stream: true })
  for await (const chunk of stream) if (chunk.choices[0].delta.content) break
  const deadline = Date.now() + 10_000
  while (!(await requests())[0].closed) {
    assert.ok(Date.now() < deadline, 'never noticed')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
})
console.log('done')
