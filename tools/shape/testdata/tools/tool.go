package main

type tool int
