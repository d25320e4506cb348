package main

func localURL(s *settings) string { return "" }
