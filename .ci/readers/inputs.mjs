// The names of the inputs of a program, from its derivation in JSON.
let text = "";
for await (const part of process.stdin) text += part;
for (const input of JSON.parse(text).program.inputs) console.log(input.name);
